"""The pages people see: battle, campaign, lobby, reference."""
