import { Paperclip, Upload as UploadIcon } from 'lucide-react'
import { useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Board } from '../../boards/schema'
import type { Task } from '../../tasks/schema'
import { Button } from '../../web/ui/Button'
import { TryAgain } from '../../web/ui/TryAgain'
import { useFileDrops } from '../../web/useFileDrops'
import { ACCEPTED_EXTENSIONS } from '../schema'
import { AttachmentRow } from './AttachmentRow'
import { useAttachments } from './cache'
import { UploadRow } from './UploadRow'
import { addFiles, useUploads } from './useUploads'
import { Viewer } from './Viewer'

type Props = { board: Board; task: Task; locked: boolean }

export function Attachments({ board, task, locked }: Props) {
  const { attachments, error, isError, isFetching, refetch } = useAttachments(board.id, task.id)
  const uploads = useUploads(task.id)
  const [shownId, setShownId] = useState<number>()
  const section = useRef<HTMLElement>(null)
  const add = (files: Iterable<File>) => {
    if (!locked) addFiles(board.id, task.id, files)
  }
  const over = useFileDrops(section, add)
  const shown = (attachments?.length ?? 0) + uploads.length
  return (
    <section ref={section} tabIndex={-1} aria-labelledby="attachments" className="flex flex-col gap-2 focus:outline-none">
      <div className="flex items-center justify-between">
        <h2 id="attachments" className="font-strong">
          Attachments
        </h2>
        {!locked && <AddFiles onFiles={add} />}
      </div>
      {attachments && shown === 0 && (
        <p className="text-quiet">
          No files. {!locked && <span className="pointer-coarse:hidden">Drop some here, or paste a picture.</span>}
        </p>
      )}
      {!attachments && !isError && <div className="h-5 animate-pulse rounded-card bg-column" aria-busy />}
      {!attachments && isError && (
        <TryAgain busy={isFetching} retry={() => void refetch()} error={error}>
          The files could not be loaded.
        </TryAgain>
      )}
      {shown > 0 && (
        <ul className="flex flex-col gap-2" aria-labelledby="attachments">
          {attachments?.map((attachment) => (
            <AttachmentRow
              key={attachment.id}
              board={board}
              attachment={attachment}
              locked={locked}
              onShow={() => setShownId(attachment.id)}
              onRemoved={() => focusBeside(section.current, attachment.id)}
            />
          ))}
          {uploads.map((upload) => (
            <UploadRow key={`upload-${upload.id}`} upload={upload} />
          ))}
        </ul>
      )}
      {attachments && shownId !== undefined && (
        <Viewer attachments={attachments} shownId={shownId} onShow={setShownId} onClose={() => setShownId(undefined)} />
      )}
      {over && !locked && createPortal(<DropHere />, over)}
    </section>
  )
}

/** The file after the one that goes, or the one before it; else what adds others. */
function focusBeside(section: HTMLElement | null, attachmentId: number) {
  const files = [...(section?.querySelectorAll<HTMLElement>('[data-attachment]') ?? [])]
  const place = files.findIndex(({ dataset }) => dataset.attachment === String(attachmentId))
  const next = files[place + 1] ?? files[place - 1] ?? section?.querySelector('button') ?? section
  next?.focus()
}

const ACCEPT = ['image/*', ...ACCEPTED_EXTENSIONS].join()

function AddFiles({ onFiles }: { onFiles(files: File[]): void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button look="quiet" size="small" onClick={() => input.current?.click()}>
        <Paperclip className="size-3.5" aria-hidden />
        Add Files
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={ACCEPT}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          target.value = ''
        }}
      />
    </>
  )
}

const DropHere = () => (
  <div className="pointer-events-none absolute inset-0 z-20 grid animate-appear place-items-center rounded-t-panel bg-raised/95 sm:rounded-panel">
    <div className="absolute inset-3 rounded-card border-2 border-accent border-dashed" />
    <p className="flex items-center gap-3 font-strong text-title">
      <UploadIcon className="size-6 text-accent" aria-hidden />
      Drop to attach
    </p>
  </div>
)
