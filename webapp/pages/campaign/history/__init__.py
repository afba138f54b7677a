"""What has happened: journal, chronicle, replay."""
