CREATE TABLE "left_boards" (
	"board_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"left_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "left_boards_board_id_user_id_pk" PRIMARY KEY("board_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "notifications" DROP CONSTRAINT "notifications_kind";--> statement-breakpoint
ALTER TABLE "board_invitations" ALTER COLUMN "email" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "board_invitations" ADD COLUMN "user_id" integer;--> statement-breakpoint
ALTER TABLE "left_boards" ADD CONSTRAINT "left_boards_board_id_boards_id_fk" FOREIGN KEY ("board_id") REFERENCES "public"."boards"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "left_boards" ADD CONSTRAINT "left_boards_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "left_boards_user_id_index" ON "left_boards" USING btree ("user_id");--> statement-breakpoint
ALTER TABLE "board_invitations" ADD CONSTRAINT "board_invitations_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "board_invitations_pending_account" ON "board_invitations" USING btree ("board_id","user_id") WHERE "board_invitations"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "board_invitations_user_id_index" ON "board_invitations" USING btree ("user_id");--> statement-breakpoint
ALTER TABLE "board_invitations" ADD CONSTRAINT "board_invitations_to" CHECK (("board_invitations"."email" is null) = ("board_invitations"."user_id" is not null));--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_kind" CHECK ("notifications"."kind" in ('assigned', 'mentioned', 'commented', 'added', 'renamed', 'described', 'logged', 'started', 'corrected', 'invited', 'joined', 'declined', 'name_declined'));--> statement-breakpoint
-- Those who left before this was remembered, and were not removed later. What an import brought tells of others.
INSERT INTO "left_boards" ("board_id", "user_id", "left_at")
SELECT "left"."board_id", "left"."user_id", max("left"."created_at") FROM "activities" "left"
JOIN "users" ON "users"."id" = "left"."user_id" AND "users"."imported_on" IS NULL
JOIN "boards" ON "boards"."id" = "left"."board_id" AND "left"."created_at" > coalesce("boards"."imported_at", '-infinity')
WHERE "left"."kind" = 'member_left' AND NOT EXISTS (
	SELECT 1 FROM "board_members" "member" WHERE "member"."board_id" = "left"."board_id" AND "member"."user_id" = "left"."user_id")
AND NOT EXISTS (
	SELECT 1 FROM "activities" "removed" WHERE "removed"."board_id" = "left"."board_id" AND "removed"."id" > "left"."id"
	AND "removed"."kind" = 'member_removed' AND ("removed"."detail" ->> 'userId')::integer = "left"."user_id")
GROUP BY "left"."board_id", "left"."user_id";--> statement-breakpoint
-- The address under which somebody joined is theirs to hide.
UPDATE "notifications" SET "detail" = regexp_replace("detail",
	'^They joined as .*; the invitation was sent to (.*)\.$', 'The invitation was sent to \1; they joined with another email.')
WHERE "kind" = 'joined' AND "detail" LIKE 'They joined as %';
