"""The curated rules: `*.cable` files, compiled at build time into the pack that ships in the wheel."""
