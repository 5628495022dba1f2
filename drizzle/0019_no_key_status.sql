-- A later version drops it: processes of the version before this one still write it.
ALTER TABLE "idempotency_keys" ALTER COLUMN "status" DROP NOT NULL;
