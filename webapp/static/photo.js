// A photo is made small, and upright, before it is sent.
"use strict";

(() => {
  const LONGEST = 1600; // pixels of a photo's longer side
  document.addEventListener("change", async (event) => {
    const input = event.target;
    if (!input.matches || !input.matches("input[data-shrink]") || !input.files.length) return;
    try {
      const picture = await createImageBitmap(input.files[0]), by = Math.min(1, LONGEST / Math.max(picture.width, picture.height));
      const canvas = document.createElement("canvas");
      canvas.width = Math.round(picture.width * by);
      canvas.height = Math.round(picture.height * by);
      canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
      const made = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.85)), files = new DataTransfer();
      files.items.add(new File([made], "table.jpg", { type: "image/jpeg" }));
      input.files = files.files;
    } catch { /* the server says what is wrong with it */ }
    input.form.dataset.ready = "1";
  });
})();
