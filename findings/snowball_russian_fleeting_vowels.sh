#!/usr/bin/env bash
# snowballstemmer 3.1.1: the stems of the forms of everyday Russian and Italian words.
#
# Guessed: forms of one noun share a stem, so that a search by stems finds them all.
# Seen: Russian nouns with a fleeting vowel or another stem in some cases (вылазка, вылазок; время, времени; день, дня)
#   and short Italian ones (acqua, acque; arma, armi; uomo, uomini) have two or three stems.
# Means: a search of a handbook by these stems misses the genitive plural, the form in which things are counted. Add the
#   sister forms by a list, or take a lemmatizer's word for it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check snowballstemmer==3.1.1 2>/dev/null
cat > "$folder/seen.py" <<'PY'
import snowballstemmer

WORDS = {
    "russian": ("вылазка вылазки вылазок", "время времени времён", "день дня дней", "весло весла вёсел", "корабль корабля кораблей"),
    "italian": ("acqua acque", "arma armi", "uomo uomini", "nave navi"),
}
for language, all_forms in WORDS.items():
    stem = snowballstemmer.stemmer(language).stemWord
    for forms in all_forms:
        stems = sorted({stem(form) for form in forms.split()})
        print(f"{language}: {forms}: {len(stems)}: {' '.join(stems)}")
PY
"$folder/env/bin/python" "$folder/seen.py" | tee "$folder/out"
diff "$folder/out" - <<'END'
russian: вылазка вылазки вылазок: 2: вылазк вылазок
russian: время времени времён: 2: врем времен
russian: день дня дней: 3: ден дне дня
russian: весло весла вёсел: 2: весел весл
russian: корабль корабля кораблей: 1: корабл
italian: acqua acque: 2: acqua acque
italian: arma armi: 2: arma armi
italian: uomo uomini: 2: uom uomin
italian: nave navi: 1: nav
END
