#!/usr/bin/env bash
# opencv-python-headless 5.0.0.93: printed tags (ArUco) seen in a mirror, as on a sheet printed the wrong way round.
#
# Guessed: a mirrored tag is not found, or as another id of its dictionary at most in the small old dictionaries; the
#   larger 5x5 dictionary of 250 has none.
# Seen: of DICT_4X4_100 seven tags read the same mirrored, and of DICT_5X5_250 one reads as itself. The lines below list
#   each id that a mirrored tag is found as.
# Means: a sheet that was mirrored by a copier or a transparency is half read, with no word of it. Leave these ids out of
#   what is printed; whichever of the others is found mirrored tells that the sheet is.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check opencv-python-headless==5.0.0.93 numpy==2.4.6 2>/dev/null
cat > "$folder/seen.py" <<'PY'
import cv2
import numpy as np

for name, number in (("DICT_4X4_100", 100), ("DICT_5X5_250", 250)):
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, name))
    detector = cv2.aruco.ArucoDetector(dictionary)
    found = []
    for id in range(number):
        page = np.full((160, 160), 255, np.uint8)
        page[30:130, 30:130] = cv2.aruco.generateImageMarker(dictionary, id, 100)
        _corners, ids, _rejected = detector.detectMarkers(cv2.flip(page, 1))
        found += [(id, int(each)) for each in (ids.ravel() if ids is not None else ())]
    print(f"{name}: {found}")
PY
"$folder/env/bin/python" "$folder/seen.py" | tee "$folder/out"
diff "$folder/out" - <<'END'
DICT_4X4_100: [(8, 8), (9, 9), (17, 17), (47, 47), (58, 58), (59, 59), (63, 63)]
DICT_5X5_250: [(129, 129)]
END
