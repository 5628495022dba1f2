DROP TRIGGER "board_goes" ON "boards";--> statement-breakpoint
DROP TRIGGER "person_goes" ON "users";--> statement-breakpoint
DROP TRIGGER "time_entries_came" ON "time_entries";--> statement-breakpoint
DROP TRIGGER "time_entries_changed" ON "time_entries";--> statement-breakpoint
DROP TRIGGER "time_entries_gone" ON "time_entries";--> statement-breakpoint
DROP TRIGGER "task_marked" ON "tasks";--> statement-breakpoint
DROP TRIGGER "task_gone" ON "tasks";--> statement-breakpoint
DROP TRIGGER "task_restored" ON "tasks";--> statement-breakpoint
DROP TRIGGER "rates_came" ON "rates";--> statement-breakpoint
DROP TRIGGER "rates_changed" ON "rates";--> statement-breakpoint
DROP TRIGGER "rates_gone" ON "rates";--> statement-breakpoint
DROP FUNCTION "board_goes";--> statement-breakpoint
DROP FUNCTION "person_goes";--> statement-breakpoint
DROP FUNCTION "rates_changed";--> statement-breakpoint
DROP FUNCTION "task_comes_or_goes";--> statement-breakpoint
DROP FUNCTION "time_entries_changed";--> statement-breakpoint
DROP FUNCTION "make_time_totals";--> statement-breakpoint
DROP FUNCTION "change_time_totals";--> statement-breakpoint
DROP FUNCTION "has_time_totals";--> statement-breakpoint
DROP FUNCTION "rolled_up";--> statement-breakpoint
DROP FUNCTION "time_amounts"("time_entries", integer);--> statement-breakpoint
DROP FUNCTION "time_amounts"("time_entries", integer, integer, integer, integer);--> statement-breakpoint
DROP FUNCTION "period_of";--> statement-breakpoint
DROP AGGREGATE "total" (bigint);--> statement-breakpoint
DROP TABLE "time_totals";
