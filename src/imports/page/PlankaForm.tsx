import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { client } from '../../web/client'
import { reasonOr } from '../../web/refusal'
import { Button } from '../../web/ui/Button'
import { DialogButtons } from '../../web/ui/Dialog'
import { Field, Input, Select } from '../../web/ui/Field'
import { useRequestKey } from '../../web/useCall'
import { useFields, useForm } from '../../web/useForm'
import { type BoardImport, plankaAccess } from '../schema'
import { cacheImport } from './cache'

type Access = { url: string; apiKey: string }
type Boards = { id: string; name: string; project: string }[]

export function PlankaForm({ onRead }: { onRead(made: BoardImport): void }) {
  const [found, setFound] = useState<{ access: Access; boards: Boards }>()
  return found ? (
    <ChooseBoard {...found} onBack={() => setFound(undefined)} onRead={onRead} />
  ) : (
    <AskForAccess onFound={(access, boards) => setFound({ access, boards })} />
  )
}

const QUIETLY = { failure: () => null }
const failureOf = (error: unknown) => reasonOr(error, 'Planka could not be reached. Please try again.')

function AskForAccess({ onFound }: { onFound(access: Access, boards: Boards): void }) {
  const form = useForm(useFields({ url: '', apiKey: '' }), { schema: plankaAccess })
  const ask = useMutation({ mutationFn: (access: Access) => client.imports.plankaBoards.mutate(access), meta: QUIETLY })
  const submit = form.submit((access) => ask.mutate(access, { onSuccess: (boards) => onFound(access, boards) }))
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
      <Field label="Planka address" error={form.errors.url && 'Please enter an address such as https://planka.example.com'}>
        {(tied) => (
          <Input
            {...tied}
            {...form.text('url')}
            type="url"
            autoComplete="off"
            placeholder="https://planka.example.com"
            readOnly={ask.isPending}
          />
        )}
      </Field>
      <Field label="API key" error={form.errors.apiKey && 'Please enter your API key'}>
        {(tied) => <Input {...tied} {...form.text('apiKey')} type="password" autoComplete="off" readOnly={ask.isPending} />}
      </Field>
      <Failure of={ask.error} />
      <DialogButtons>
        <Button type="submit" look="primary" busy={ask.isPending}>
          Show boards
        </Button>
      </DialogButtons>
    </form>
  )
}

type ChooseProps = { access: Access; boards: Boards; onBack(): void; onRead(made: BoardImport): void }

function ChooseBoard({ access, boards, onBack, onRead }: ChooseProps) {
  const [boardId, setBoardId] = useState(boards[0]?.id ?? '')
  const key = useRequestKey()
  const read = useMutation({
    mutationFn: () => client.imports.fromPlanka.mutate({ ...access, boardId }, key.of(boardId)),
    onSuccess: (made) => {
      key.forget()
      cacheImport(made)
      onRead(made)
    },
    meta: QUIETLY,
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    read.mutate()
  }
  const projects = [...new Set(boards.map(({ project }) => project))]
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      {boards.length === 0 ? (
        <p role="status">This API key has no access to any boards.</p>
      ) : (
        <Field label="Board">
          {(tied) => (
            <Select
              {...tied}
              className="w-full"
              value={boardId}
              disabled={read.isPending}
              onChange={(event) => setBoardId(event.target.value)}
            >
              {projects.map((project) => (
                <optgroup key={project} label={project}>
                  {boards
                    .filter((board) => board.project === project)
                    .map(({ id, name }) => (
                      <option key={id} value={id}>
                        {name}
                      </option>
                    ))}
                </optgroup>
              ))}
            </Select>
          )}
        </Field>
      )}
      <Failure of={read.error} />
      <DialogButtons>
        <Button onClick={onBack} disabled={read.isPending}>
          Back
        </Button>
        <Button type="submit" look="primary" busy={read.isPending} disabled={boardId === ''}>
          {read.isPending ? 'Reading the board…' : 'Preview board'}
        </Button>
      </DialogButtons>
    </form>
  )
}

const Failure = ({ of: error }: { of: unknown }) =>
  error ? (
    <p role="alert" className="wrap-anywhere text-pretty text-danger">
      {failureOf(error)}
    </p>
  ) : null
