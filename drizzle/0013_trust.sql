CREATE TABLE "installation" (
	"id" text PRIMARY KEY DEFAULT gen_random_uuid()::text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "magic_links" DROP CONSTRAINT "magic_links_purpose";--> statement-breakpoint
ALTER TABLE "boards" DROP CONSTRAINT "boards_created_by_users_id_fk";
--> statement-breakpoint
ALTER TABLE "boards" ALTER COLUMN "created_by" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "boards" ADD COLUMN "deleted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "magic_links" ADD COLUMN "asked_by" text;--> statement-breakpoint
ALTER TABLE "boards" ADD CONSTRAINT "boards_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "boards_deleted" ON "boards" USING btree ("deleted_at") WHERE "boards"."deleted_at" is not null;--> statement-breakpoint
ALTER TABLE "boards" ADD CONSTRAINT "boards_creator" CHECK ("boards"."created_by" is not null or "boards"."deleted_at" is not null);--> statement-breakpoint
ALTER TABLE "magic_links" ADD CONSTRAINT "magic_links_purpose" CHECK ("magic_links"."purpose" in ('sign-in', 'reset', 'confirm'));