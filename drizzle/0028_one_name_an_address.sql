ALTER TABLE "board_invitations" DROP CONSTRAINT "board_invitations_status";--> statement-breakpoint
DROP INDEX "users_names_of_board";--> statement-breakpoint
-- Of the names of a board with one address the first keeps it; the board's creator can have people asked about the others.
UPDATE "users" SET "imported_email" = NULL FROM (
	SELECT "id", min("id") OVER (PARTITION BY "imported_on", "imported_email") AS "first" FROM "users" WHERE "imported_on" IS NOT NULL AND "imported_email" IS NOT NULL
) AS "found" WHERE "found"."id" = "users"."id" AND "found"."first" < "users"."id";--> statement-breakpoint
CREATE UNIQUE INDEX "users_names_of_board" ON "users" USING btree ("imported_on","imported_email") WHERE "users"."imported_on" is not null;--> statement-breakpoint
ALTER TABLE "board_invitations" ADD CONSTRAINT "board_invitations_status" CHECK ("board_invitations"."status" in ('pending', 'accepted', 'declined', 'revoked'));