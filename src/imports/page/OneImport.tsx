import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { dayAt } from '../../days'
import { calendarDay, countText, numberText } from '../../format'
import { Button } from '../../web/ui/Button'
import { Confirm } from '../../web/ui/Confirm'
import { PageHeader, Section } from '../../web/ui/Section'
import { IMPORT_DAYS } from '../limits'
import { type BoardImport, SOURCES } from '../schema'
import { useRemoveImport } from './cache'
import { ProgressBar, percentOf } from './ImportStatus'
import { PreviewForm } from './PreviewForm'
import { Losses } from './PreviewLists'

type Props = { one: BoardImport; onLeave(): void }

/** `isCome`: opened from another part of the page, so the heading takes the focus. */
export function OneImport({ one, isCome, onLeave }: Props & { isCome: boolean }) {
  const { state, fileName, source, preview } = one
  const [first] = useState(state)
  return (
    <>
      <PageHeader
        title={
          <h1
            key={state}
            ref={isCome || state !== first ? focusIfLost : undefined}
            tabIndex={-1}
            className="wrap-anywhere font-strong focus:outline-none"
          >
            {TITLES[state]} “<bdi>{preview.name}</bdi>”
          </h1>
        }
        text={
          <p className="wrap-anywhere text-quiet">
            {SOURCES[source]} · <bdi>{fileName}</bdi>
          </p>
        }
      >
        <Button onClick={onLeave}>All imports</Button>
      </PageHeader>
      <article className="flex flex-col gap-6 rounded-panel bg-surface p-5 shadow-card sm:p-8">
        <p role="status" className="text-pretty empty:hidden">
          {state === 'ready' && `Nothing is saved yet. This preview is kept until ${keptUntil(one)}.`}
          {state === 'done' &&
            (one.boards.length > 0
              ? 'Your boards are ready. You can also find them on your dashboard.'
              : 'Your board is ready. You can also find it on your dashboard.')}
        </p>
        {state === 'failed' && (
          <div role="alert" className="wrap-anywhere flex flex-col gap-1 text-pretty text-danger">
            <p>{one.error ?? 'Something went wrong on our side.'}</p>
            <p>
              {one.boards.length > 0
                ? `${countText(one.boards.length, 'board was', 'boards were')} imported. Try again to import the rest.`
                : 'Nothing was saved.'}
            </p>
          </div>
        )}
        {(state === 'ready' || state === 'failed') && <PreviewForm one={one} onDiscarded={onLeave} />}
        {state === 'running' && <Running one={one} onLeave={onLeave} />}
        {state === 'done' && <Done one={one} onLeave={onLeave} />}
      </article>
    </>
  )
}

const TITLES: Record<BoardImport['state'], string> = {
  ready: 'Preview of',
  running: 'Importing',
  done: 'Imported',
  failed: 'Not imported:',
}

function Running({ one, onLeave }: Props) {
  const { done, total } = one
  const [asking, setAsking] = useState(false)
  const cancel = useRemoveImport('Import Cancelled')
  return (
    <>
      <div className="flex flex-col gap-2">
        <ProgressBar label="Import" done={done} total={total} />
        <p className="tabular text-quiet">
          {done > 0 ? `${percentOf(done, total)}% · ${numberText(done)} of ${numberText(total)}` : 'Starting…'}
        </p>
      </div>
      <p className="text-pretty text-quiet">
        You can close this page. The import continues in the background, and you’ll find the result on your dashboard.
      </p>
      <Buttons>
        <Button onClick={() => setAsking(true)}>Cancel import</Button>
      </Buttons>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title="Cancel this import?"
        text="This deletes the preview and the board being imported. Boards that have already been imported are kept."
        action="Cancel import"
        cancel="Keep importing"
        busy={cancel.isPending}
        onConfirm={() => cancel.mutate(one, { onSuccess: onLeave, onSettled: () => setAsking(false) })}
      />
    </>
  )
}

function Done({ one, onLeave }: Props) {
  const { boardId, boards, losses } = one
  const clear = useRemoveImport('Import Removed', 'Imported boards are kept.')
  return (
    <>
      {hasNames(one) && (
        <p className="text-pretty text-quiet">
          To link the imported names to people, open Invite Members on {boards.length > 0 ? 'each board' : 'the board'}. Nothing
          is theirs until they claim it.
        </p>
      )}
      {boards.length > 0 && (
        <Section title="Boards">
          <ul aria-label="Boards" className="flex flex-col divide-y divide-line">
            {boards.map(({ id, name }) => (
              <li key={id}>
                <Link
                  to="/board/$boardId"
                  params={{ boardId: id }}
                  className="item wrap-anywhere block rounded-card py-2.5 pointed:underline"
                >
                  <bdi>{name}</bdi>
                </Link>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {losses.length > 0 && (
        <Section title="Left out or changed">
          <Losses losses={losses} label="Left out or changed" />
        </Section>
      )}
      <Buttons>
        <Button look="quiet" busy={clear.isPending} onClick={() => clear.mutate(one, { onSuccess: onLeave })}>
          Remove from list
        </Button>
        {boardId !== null && (
          <Button look="primary" asChild>
            <Link to="/board/$boardId" params={{ boardId }}>
              Open board
            </Link>
          </Button>
        )}
      </Buttons>
    </>
  )
}

/** Nobody can be linked to a former member. */
export const hasNames = ({ preview, me }: Pick<BoardImport, 'preview' | 'me'>): boolean =>
  preview.people.some(({ id, former }) => !former && id !== me)

const Buttons = ({ children }: { children: ReactNode }) => <div className="flex flex-wrap justify-end gap-2">{children}</div>

/** The focused element may have been removed with the former contents. */
export function focusIfLost(heading: HTMLElement | null): void {
  if (document.activeElement === document.body) heading?.focus({ preventScroll: true })
}

const DAY_MS = 86_400_000

export const keptUntil = ({ changedAt }: Pick<BoardImport, 'changedAt'>): string =>
  calendarDay(dayAt(new Date(Date.parse(changedAt) + IMPORT_DAYS * DAY_MS)))
