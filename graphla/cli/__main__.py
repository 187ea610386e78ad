"""``python -m graphla.cli``."""

from graphla.cli.app import main

if __name__ == "__main__":
    main()
