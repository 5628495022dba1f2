import { type ReactNode, type SubmitEvent, useRef, useState } from 'react'
import { ConfirmPassword } from '../../auth/page/CredentialFields'
import { durationText } from '../../format'
import { displayName } from '../../users/schema'
import { Button } from '../../web/ui/Button'
import { Dialog, DialogButtons } from '../../web/ui/Dialog'
import { Field, Select } from '../../web/ui/Field'
import type { HandOver as HandOverChoice, Security } from '../schema'
import { useDeleteAccount } from './cache'

export function DeleteAccount({ security }: { security: Security }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button look="quiet-danger" className="-ml-inset self-start" onClick={() => setOpen(true)}>
        Delete account…
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title="Delete your account?" description="This cannot be undone.">
        <WhatGoes boards={security.boards} />
        {security.mayDelete ? (
          <Confirmation security={security} onCancel={() => setOpen(false)} />
        ) : (
          <p role="note" className="rounded-card bg-column px-3 py-2">
            To confirm it’s you, log out, log in again and come back within 15 minutes.
          </p>
        )}
      </Dialog>
    </>
  )
}

const ONLY_MEMBER = {
  one: 'You are the only member of this board. It will be deleted with everything on it:',
  several: 'You are the only member of these boards. They will be deleted with everything on them:',
}

function WhatGoes({ boards }: Pick<Security, 'boards'>) {
  const unshared = boards.filter((board) => !isShared(board))
  return (
    <ul className="flex list-disc flex-col gap-2 text-pretty pl-5">
      {boards.length === 0 && <li>You haven’t created any boards, so none will be deleted.</li>}
      {unshared.length > 0 && (
        <li>
          {ONLY_MEMBER[unshared.length === 1 ? 'one' : 'several']}
          <ul className="mt-1 flex max-h-40 flex-col gap-1 overflow-y-auto">
            {unshared.map((board) => (
              <li key={board.id}>
                <bdi className="break-words font-strong">{board.name}</bdi>
              </li>
            ))}
          </ul>
        </li>
      )}
      <li>
        On other boards, your tasks, time entries and activity stay under “Former member”, without your name, picture or email. So
        do your comments and files, unless you delete them below. We’ll tell the creators of those boards that a member deleted
        their account.
      </li>
    </ul>
  )
}

function Confirmation({ security, onCancel }: { security: Security; onCancel(): void }) {
  const { hasPassword, boards } = security
  const remove = useDeleteAccount()
  const [password, setPassword] = useState('')
  const [choices, setChoices] = useState<Choices>({})
  const [deleteContent, setDeleteContent] = useState(false)
  const [asked, setAsked] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setAsked(true)
    if (undecided(boards, choices).length > 0) focusIn(form.current, 'select:has(option:disabled:checked)')
    else if (hasPassword && password === '') focusIn(form.current, '[autocomplete=current-password]')
    else remove.mutate({ password, handOver: handOverOf(boards, choices), deleteContent })
  }
  return (
    <form ref={form} onSubmit={submit} className="flex flex-col gap-4">
      {boards.some(isShared) && <HandOver boards={boards} choices={choices} asked={asked} onChoose={setChoices} />}
      <DeleteContent checked={deleteContent} onChange={setDeleteContent}>
        Also delete my comments and files on all boards
      </DeleteContent>
      {hasPassword && (
        <ConfirmPassword call={remove} value={password} onValue={setPassword} isMissing={asked && password === ''} />
      )}
      <DialogButtons>
        <Button onClick={onCancel} disabled={remove.isPending}>
          Keep account
        </Button>
        <Button type="submit" look="danger" busy={remove.isPending}>
          {remove.isPending ? 'Deleting…' : 'Delete account'}
        </Button>
      </DialogButtons>
    </form>
  )
}

const focusIn = (form: HTMLElement | null, field: string) => form?.querySelector<HTMLElement>(field)?.focus()

export const DeleteContent = (props: { checked: boolean; onChange(checked: boolean): void; children: ReactNode }) => (
  <label className="flex min-h-6 cursor-pointer items-start gap-2 self-start">
    <input
      type="checkbox"
      className="checkbox mt-0.5"
      checked={props.checked}
      onChange={(event) => props.onChange(event.target.checked)}
    />
    {props.children}
  </label>
)

type Board = Security['boards'][number]

type Choices = Record<number, string>
const DELETE_BOARD = 'delete'

const isShared = ({ others }: Board) => others > 0

const choiceFor = ({ id, members }: Board, choices: Choices) =>
  [DELETE_BOARD, ...members.map((member) => String(member.id))].find((value) => value === choices[id]) ?? ''

const undecided = (boards: Board[], choices: Choices): Board[] =>
  boards.filter((board) => isShared(board) && choiceFor(board, choices) === '')

const handOverOf = (boards: Board[], choices: Choices): HandOverChoice[] =>
  boards.flatMap((board) => {
    const choice = choiceFor(board, choices)
    return isShared(board) && choice !== '' && choice !== DELETE_BOARD ? [{ boardId: board.id, userId: Number(choice) }] : []
  })

type Props = { boards: Board[]; choices: Choices; asked: boolean; onChoose(choices: Choices): void }

const QUESTION = {
  one: {
    question: 'Other people use this board. Who should take it over?',
    note: 'If you delete it, its members have 30 days to download their own hours.',
  },
  several: {
    question: 'Other people use these boards. Who should take over each one?',
    note: 'If you delete one, its members have 30 days to download their own hours.',
  },
}

const HandOver = ({ boards, choices, asked, onChoose }: Props) => {
  const shared = boards.filter(isShared)
  const { question, note } = QUESTION[shared.length === 1 ? 'one' : 'several']
  return (
    <fieldset className="wrap-anywhere grid min-w-0 grid-cols-1 gap-3">
      <legend className="mb-3 text-pretty font-strong">
        {question}
        <span className="block font-normal text-quiet">{note}</span>
      </legend>
      {shared.map((board) => (
        <Field
          key={board.id}
          label={board.name}
          error={asked && choiceFor(board, choices) === '' ? 'Choose what happens to this board.' : undefined}
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
              <option value={DELETE_BOARD}>Delete it for everyone</option>
            </Select>
          )}
        </Field>
      ))}
    </fieldset>
  )
}

const NO_BREAK = '\u00a0'

const peopleAndHours = ({ others, minutes }: Board) =>
  `${others} other ${others === 1 ? 'person' : 'people'}, ${minutes > 0 ? durationText(minutes).replace(' ', NO_BREAK) : 'no time'} logged`
