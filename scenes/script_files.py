"""How the scripts of scenes write their files."""
import sys


def save(files):
    """Writes the bytes of each file. With --check as the only argument it writes nothing, and ends with an error if a
    file differs."""
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(f"usage: {sys.argv[0]} [--check]")
    for file, data in files.items():
        if not sys.argv[1:]:
            file.write_bytes(data)
        elif not file.exists() or file.read_bytes() != data:
            sys.exit(f"{file} is not what {sys.argv[0]} writes; run it again")
