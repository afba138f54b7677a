#!/usr/bin/env bash
# charset-normalizer 3.4.7 beside chardetng-py 0.3.5: the encoding of a list with few foreign words, as an office program
# of another country writes it.
#
# Guessed: the library that most Python programs have (requests brought it for years) finds the encoding of an Italian
#   list more easily than that of a Russian or Greek one; the detector of a browser, made for whole pages, needs more text.
# Seen: it is the other way about. charset-normalizer finds the Russian, Polish and Greek lists, and takes the Italian one,
#   whose few letters with accents are in every Latin code page, for windows-1250: "Libertà" becomes "Libertŕ", without a
#   fault. chardetng reads all four.
# Means: for short files take the browser's detector, show what was read, and let a person choose.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check charset-normalizer==3.4.7 chardetng-py==0.3.5 2>/dev/null
cat > "$folder/seen.py" <<'PY'
import charset_normalizer
import chardetng_py

LISTS = {
    "Russian": ("id;имя\nr1;Стрела\nr2;Победа\n", "windows-1251"),
    "Italian": ("id;nome\nr1;Città di Forlì\nr2;Libertà\n", "windows-1252"),
    "Polish": ("id;nazwa\nr1;Żółw\nr2;Łódź\n", "windows-1250"),
    "Greek": ("id;όνομα\nr1;Νίκη\nr2;Ελπίς\n", "windows-1253"),
}
for language, (text, encoding) in LISTS.items():
    sent = text.encode(encoding)
    best = charset_normalizer.from_bytes(sent).best()
    detector = chardetng_py.EncodingDetector()
    detector.feed(sent, last=True)
    guessed = detector.guess(tld=None, allow_utf8=True)
    print(f"{language}: charset-normalizer {best and best.encoding} {'right' if best and str(best) == text else 'WRONG'},", end=" ")
    print(f"chardetng {guessed} {'right' if sent.decode(guessed) == text else 'WRONG'}")
PY
"$folder/env/bin/python" "$folder/seen.py" | tee "$folder/out"
diff "$folder/out" - <<'END'
Russian: charset-normalizer cp1251 right, chardetng windows-1251 right
Italian: charset-normalizer cp1250 WRONG, chardetng windows-1252 right
Polish: charset-normalizer cp1250 right, chardetng windows-1250 right
Greek: charset-normalizer cp1253 right, chardetng windows-1253 right
END
