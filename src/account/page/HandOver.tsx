import { shortDuration } from '../../activity/page/display'
import { displayName } from '../../users/schema'
import { Field } from '../../web/ui/Field'
import { Select } from '../../web/ui/Select'
import type { HandOver as HandOverChoice, Security } from '../schema'

type Board = Security['boards'][number]

export type Choices = Record<number, string>
const DELETE = 'delete'

export const isShared = ({ others }: Board) => others > 0

const choiceFor = ({ id, members }: Board, choices: Choices) =>
  [DELETE, ...members.map((member) => String(member.id))].find((value) => value === choices[id]) ?? ''

export const undecided = (boards: Board[], choices: Choices): Board[] =>
  boards.filter((board) => isShared(board) && choiceFor(board, choices) === '')

export const handOverOf = (boards: Board[], choices: Choices): HandOverChoice[] =>
  boards.flatMap((board) => {
    const choice = choiceFor(board, choices)
    return isShared(board) && choice !== '' && choice !== DELETE ? [{ boardId: board.id, userId: Number(choice) }] : []
  })

type Props = { boards: Board[]; choices: Choices; asked: boolean; onChoose(choices: Choices): void }

export const HandOver = ({ boards, choices, asked, onChoose }: Props) => (
  <fieldset className="flex flex-col gap-3">
    <legend className="mb-3 text-pretty text-quiet">
      Others are on these boards. Who gets them? Where you delete one, its members can download their own hours for 30 days.
    </legend>
    {boards.filter(isShared).map((board) => (
      <Field
        key={board.id}
        label={board.name}
        error={asked && choiceFor(board, choices) === '' ? 'Please choose what becomes of this board.' : undefined}
        question={<p className="text-quiet text-small">{peopleAndHours(board)}</p>}
      >
        {(tied) => (
          <Select
            {...tied}
            className="w-full"
            value={choiceFor(board, choices)}
            onChange={(event) => onChoose({ ...choices, [board.id]: event.target.value })}
          >
            <option value="" disabled>
              Choose…
            </option>
            {board.members.map((member) => (
              <option key={member.id} value={member.id}>
                Hand over to {displayName(member)}
              </option>
            ))}
            <option value={DELETE}>Delete it for everyone</option>
          </Select>
        )}
      </Field>
    ))}
  </fieldset>
)

const peopleAndHours = ({ others, minutes }: Board) =>
  `${others} other ${others === 1 ? 'person' : 'people'}, ${minutes > 0 ? `${shortDuration(minutes)} logged by them` : 'no time logged by them'}`
