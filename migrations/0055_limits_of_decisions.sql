-- The daily limit of the corridor, in US cents, with which a payment was compared when it counted against it
-- (money.md §8.2). The setting may change later, and an explanation names the limit of that moment. Older payments
-- have none.
alter table transactions add column daily_limit bigint;

-- The spending limits of the agent's policy with which an action was compared (agents.md §4.1). The policy may change
-- later. Older actions have none.
alter table agent_actions add column limits jsonb;
