"""`python -m reportgen`."""

from reportgen.cli.app import main

if __name__ == "__main__":
    main()
