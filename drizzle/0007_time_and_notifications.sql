CREATE TABLE "notifications" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "notifications_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"actor_id" integer NOT NULL,
	"board_id" integer NOT NULL,
	"task_id" integer,
	"kind" text NOT NULL,
	"detail" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"read_at" timestamp (3) with time zone,
	"waits" boolean DEFAULT false NOT NULL,
	CONSTRAINT "notifications_kind" CHECK ("notifications"."kind" in ('assigned', 'mentioned', 'commented', 'added', 'renamed', 'described', 'logged', 'started', 'corrected'))
);
--> statement-breakpoint
DROP INDEX "time_entries_task_id_start_time_index";--> statement-breakpoint
DROP INDEX "time_entries_user_id_start_time_index";--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "unsubscribe" text;--> statement-breakpoint
ALTER TABLE "time_entries" ADD COLUMN "board_id" integer;--> statement-breakpoint
UPDATE "time_entries" SET "board_id" = "tasks"."board_id" FROM "tasks" WHERE "tasks"."id" = "time_entries"."task_id";--> statement-breakpoint
ALTER TABLE "time_entries" ALTER COLUMN "board_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "time_entries" ADD COLUMN "day" date;--> statement-breakpoint
UPDATE "time_entries" SET "day" = ("start_time" AT TIME ZONE 'UTC')::date;--> statement-breakpoint
ALTER TABLE "time_entries" ALTER COLUMN "day" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "time_entries" ADD COLUMN "time_zone" text DEFAULT 'UTC' NOT NULL;--> statement-breakpoint
ALTER TABLE "time_entries" ADD COLUMN "running_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "time_entries" ADD COLUMN "counted" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "time_entries" ADD COLUMN "confirmed" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "time_entries" ADD COLUMN "asked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "time_entries" ADD COLUMN "billable" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "unsubscribe_token" text DEFAULT gen_random_uuid()::text NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "notified_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_actor_id_users_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_board_id_boards_id_fk" FOREIGN KEY ("board_id") REFERENCES "public"."boards"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_task_id_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."tasks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notifications_user_id_id_index" ON "notifications" USING btree ("user_id","id");--> statement-breakpoint
CREATE INDEX "notifications_actor_id_index" ON "notifications" USING btree ("actor_id");--> statement-breakpoint
CREATE INDEX "notifications_board_id_index" ON "notifications" USING btree ("board_id");--> statement-breakpoint
CREATE INDEX "notifications_task_id_index" ON "notifications" USING btree ("task_id");--> statement-breakpoint
CREATE INDEX "notifications_unread" ON "notifications" USING btree ("user_id") WHERE "notifications"."read_at" is null;--> statement-breakpoint
CREATE INDEX "notifications_waiting" ON "notifications" USING btree ("user_id") WHERE "notifications"."waits";--> statement-breakpoint
CREATE INDEX "time_entries_of_task" ON "time_entries" USING btree ("task_id","start_time","id","duration_minutes","status");--> statement-breakpoint
CREATE INDEX "time_entries_of_board" ON "time_entries" USING btree ("board_id","day","start_time","id","user_id","task_id","duration_minutes","status");--> statement-breakpoint
CREATE INDEX "time_entries_user_id_index" ON "time_entries" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "time_entries_timers" ON "time_entries" USING btree ("user_id") WHERE "time_entries"."status" <> 'completed';--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_unsubscribeToken_unique" UNIQUE("unsubscribe_token");--> statement-breakpoint
ALTER TABLE "time_entries" ADD CONSTRAINT "time_entries_running" CHECK (("time_entries"."status" = 'ACTIVE') = ("time_entries"."running_since" is not null));