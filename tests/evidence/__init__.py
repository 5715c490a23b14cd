"""What the curated rules do with recorded outputs: goldens, truths, mutations."""
