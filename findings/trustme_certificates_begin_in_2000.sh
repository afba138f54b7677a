#!/usr/bin/env bash
# trustme 1.2.1: how long a certificate is valid for which one has given the end.
#
# Guessed: `issue_cert(..., not_after=in 800 days)` makes a certificate that is valid for 800 days.
# Seen: it begins on 1 January 2000 whatever the end is, so that it is valid for more than 28 years.
# Means: devices that refuse certificates of more than 825 or 398 days count from the beginning. Give `not_before`, too.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check trustme==1.2.1 cryptography==50.0.2 2>/dev/null
cat > "$folder/seen.py" <<'PY'
from datetime import UTC, datetime, timedelta

import trustme
from cryptography import x509

ends = datetime.now(UTC) + timedelta(days=800)
made = trustme.CA().issue_cert("table.example.org", not_after=ends)
read = x509.load_pem_x509_certificate(made.cert_chain_pems[0].bytes())
print("begins:", read.not_valid_before_utc.date())
print("ends as told:", read.not_valid_after_utc.date() == ends.date())
print("more than 10,000 days:", read.not_valid_after_utc - read.not_valid_before_utc > timedelta(days=10_000))
PY
"$folder/env/bin/python" "$folder/seen.py" | tee "$folder/out"
diff "$folder/out" - <<'END'
begins: 2000-01-01
ends as told: True
more than 10,000 days: True
END
