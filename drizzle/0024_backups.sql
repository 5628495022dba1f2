CREATE TABLE "backups" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "backups_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"begun_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"holds_until" timestamp (3) with time zone,
	"is_nightly" boolean NOT NULL,
	"bytes" bigint,
	"error" text
);
--> statement-breakpoint
CREATE INDEX "backups_hold" ON "backups" USING btree ("holds_until") WHERE "backups"."holds_until" is not null;