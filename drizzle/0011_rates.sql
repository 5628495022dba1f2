CREATE TABLE "rates" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "rates_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"board_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"from_day" date NOT NULL,
	"cents" integer NOT NULL,
	CONSTRAINT "rates_boardId_userId_from_day_unique" UNIQUE("board_id","user_id","from_day"),
	CONSTRAINT "rates_cents" CHECK ("rates"."cents" between 0 and 1000000)
);
--> statement-breakpoint
DROP INDEX "time_entries_of_board";--> statement-breakpoint
ALTER TABLE "rates" ADD CONSTRAINT "rates_board_id_boards_id_fk" FOREIGN KEY ("board_id") REFERENCES "public"."boards"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rates" ADD CONSTRAINT "rates_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "rates_user_id_index" ON "rates" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "time_entries_of_board" ON "time_entries" USING btree ("board_id","day","start_time","id","user_id","task_id","duration_minutes","status","billable");