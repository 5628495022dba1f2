import { type Checkbox, withCheckbox } from '../../checklist'
import { titleOf } from '../../tasks/page/cache'
import type { Snapshot } from '../../tasks/schema'
import { type Call, client } from '../../web/client'
import { changeKind, type Made } from '../../web/live/changeKinds'
import { submit } from '../../web/live/changes'
import { useChange } from '../../web/live/predictions'
import { notUndone } from '../../web/live/upon'
import { boxGone, settledRevision, tickText, uponCheckbox } from '../../web/live/uponCheckbox'
import type { Comment } from '../schema'
import { updated } from './cache'

type Ticking = { comment: Comment; box: Checkbox; revision: number }

const given = {
  send: ({ comment: { id: commentId, content: text }, box, revision }: Ticking, call: Call) =>
    uponCheckbox(
      {
        ...{ box, base: { revision, text } },
        textOf: ({ content }: Comment) => content,
        send: (content) => client.comments.update.mutate({ commentId, content }, call),
      },
      call,
    ),
  predict: ({ comment, box }: Ticking, made: Made) => {
    const content = withCheckbox(comment.content, box)
    return content === undefined ? [] : [updated({ ...comment, content, revision: comment.revision + 1 }, made)]
  },
  textOf: ({ box }: Ticking) => box.words,
  about: ({ comment: { taskId } }: Ticking, board: Snapshot | undefined) => titleOf(board, taskId),
}

const tickBack = changeKind({ ...given, name: 'comments.tickBack', texts: { failure: notUndone } })

const tick = changeKind({
  ...given,
  name: 'comments.tick',
  undo:
    ({ box }: Ticking, _board, boardId) =>
    (comment: Comment | null) =>
      comment && {
        title: tickText(box),
        description: box.words,
        run: () => submit(boardId, tickBack, { comment, box: { ...box, done: !box.done }, revision: comment.revision }),
      },
  texts: {
    failure: boxGone({ title: 'Update Failed', description: 'Could not update your comment. Please try again.' }),
  },
})

export function useTickInComment(boardId: number) {
  const { run } = useChange(boardId, tick)
  return (comment: Comment, box: Checkbox) => run({ comment, box, revision: settledRevision(comment) })
}
