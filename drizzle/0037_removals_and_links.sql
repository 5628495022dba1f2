ALTER TABLE "board_invitations" DROP CONSTRAINT "board_invitations_to";--> statement-breakpoint
ALTER TABLE "operator_acts" DROP CONSTRAINT "operator_acts_did";--> statement-breakpoint
ALTER TABLE "board_invitations" ADD COLUMN "shown" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "boards" ADD COLUMN "invite_links" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "left_boards" ADD COLUMN "removed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "operator_acts" ADD COLUMN "email" text;--> statement-breakpoint
ALTER TABLE "board_invitations" ADD CONSTRAINT "board_invitations_to" CHECK (num_nonnulls("board_invitations"."email", "board_invitations"."user_id") = 1 or ("board_invitations"."shown" and num_nonnulls("board_invitations"."email", "board_invitations"."user_id") = 0));--> statement-breakpoint
ALTER TABLE "operator_acts" ADD CONSTRAINT "operator_acts_did" CHECK ("operator_acts"."did" in ('made_link', 'link_used', 'changed_email', 'email_used', 'proved_email'));--> statement-breakpoint
-- Those who were removed before this was remembered. What an import brought tells of others.
INSERT INTO "left_boards" ("board_id", "user_id", "left_at", "removed")
SELECT "activities"."board_id", "users"."id", max("activities"."created_at"), true FROM "activities"
JOIN "users" ON "users"."id" = ("activities"."detail" ->> 'userId')::integer AND "users"."imported_on" IS NULL
JOIN "boards" ON "boards"."id" = "activities"."board_id" AND "activities"."created_at" > coalesce("boards"."imported_at", '-infinity')
WHERE "activities"."kind" = 'member_removed' AND NOT EXISTS (
	SELECT 1 FROM "board_members" "member" WHERE "member"."board_id" = "activities"."board_id" AND "member"."user_id" = "users"."id")
GROUP BY "activities"."board_id", "users"."id"
ON CONFLICT DO NOTHING;
