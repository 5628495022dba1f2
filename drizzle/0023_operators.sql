CREATE TABLE "first_account" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	CONSTRAINT "first_account_once" CHECK ("first_account"."id" = 1)
);
--> statement-breakpoint
ALTER TABLE "board_invitations" ADD COLUMN "admitted" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "magic_links" ADD COLUMN "mailed" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "pro_given" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "operator" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "disabled_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "mails_failed" ON "mails" USING btree ("id") WHERE "mails"."state" = 'failed';--> statement-breakpoint
CREATE INDEX "users_operators" ON "users" USING btree ("id") WHERE "users"."operator";--> statement-breakpoint
UPDATE "users" SET "pro_given" = true WHERE "is_pro" AND NOT EXISTS (
	SELECT 1 FROM "billing" WHERE "billing"."user_id" = "users"."id" AND "billing"."is_pro"
);--> statement-breakpoint
INSERT INTO "first_account" SELECT 1 WHERE EXISTS (SELECT 1 FROM "users");
