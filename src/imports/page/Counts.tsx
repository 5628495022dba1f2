import { shortDuration } from '../../activity/page/display'
import { numberText } from '../basics'
import type { Preview } from '../schema'

/** What would come, of which there is any. */
export function Counts({ counts: { tasks, comments, attachments, entries, minutes } }: { counts: Preview['counts'] }) {
  const facts = [
    ['Tasks', numberText(tasks)],
    ['Comments', comments > 0 && numberText(comments)],
    ['Files', attachments > 0 && numberText(attachments)],
    ['Time entries', entries > 0 && numberText(entries)],
    ['Time', minutes > 0 && shortDuration(minutes)],
  ] as const
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-3">
      {facts.map(
        ([label, fact]) =>
          fact && (
            <div key={label} className="flex flex-col-reverse">
              <dt className="text-quiet text-small">{label}</dt>
              <dd className="tabular font-strong text-title">{fact}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
