import Clock from 'lucide-react/icons/clock'
import Download from 'lucide-react/icons/download'
import Paperclip from 'lucide-react/icons/paperclip'
import RotateCw from 'lucide-react/icons/rotate-cw'
import Trash2 from 'lucide-react/icons/trash'
import UploadIcon from 'lucide-react/icons/upload'
import X from 'lucide-react/icons/x'
import { type MouseEvent, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { mayDeleteAttachment } from '../../access'
import type { Board } from '../../boards/schema'
import { dateTimeText } from '../../format'
import type { Task } from '../../tasks/schema'
import { useViewer } from '../../users/page/viewer'
import { displayName } from '../../users/schema'
import { isTemporary } from '../../web/live/temporaryIds'
import { settings } from '../../web/settings'
import { Button } from '../../web/ui/Button'
import { TryAgain } from '../../web/ui/Failure'
import { Spinner } from '../../web/ui/Spinner'
import { useFileDrops } from '../../web/useFileDrops'
import { type Attachment, acceptedExtensions, isBrowserImage } from '../schema'
import { useAttachments, useRemoveAttachment } from './cache'
import { iconOf, shortName, sizeText } from './display'
import { addFiles, cancelUpload, retryUpload, UNSAVED_TASK, type Upload, useUploads } from './useUploads'
import { Viewer } from './Viewer'

type Props = { board: Board; task: Task; locked: boolean }

export function Attachments({ board, task, locked }: Props) {
  const { attachments, error, isError, isFetching, refetch } = useAttachments(board.id, task.id)
  const uploads = useUploads(task.id)
  const [shownId, setShownId] = useState<number>()
  const isGone = attachments?.every(({ id }) => id !== shownId)
  if (isGone && shownId !== undefined) setShownId(undefined)
  const section = useRef<HTMLElement>(null)
  const isUnsaved = isTemporary(task.id)
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
        {!locked && <AddFiles disabled={isUnsaved} onFiles={add} />}
      </div>
      {attachments && shown === 0 && (
        <p className="text-quiet">No files. {!locked && (isUnsaved ? UNSAVED_TASK : <DropHint />)}</p>
      )}
      {!attachments && !isError && <div className="skeleton h-5 [--row:1.25rem]" aria-busy />}
      {!attachments && isError && (
        <TryAgain busy={isFetching} retry={() => void refetch()} error={error}>
          The files could not be loaded.
        </TryAgain>
      )}
      {shown > 0 && (
        <ul className="-mx-1 flex max-h-64 flex-col gap-2 overflow-y-auto p-1" aria-labelledby="attachments">
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
      {over && !locked && !isUnsaved && createPortal(<DropHere />, over)}
    </section>
  )
}

/** The next file, the one before it, or else the button that adds files. */
function focusBeside(section: HTMLElement | null, attachmentId: number) {
  const files = [...(section?.querySelectorAll<HTMLElement>('[data-attachment]') ?? [])]
  const place = files.findIndex(({ dataset }) => dataset.attachment === String(attachmentId))
  const next = files[place + 1] ?? files[place - 1] ?? section?.querySelector('button') ?? section
  next?.focus()
}

function AddFiles({ disabled, onFiles }: { disabled: boolean; onFiles(files: File[]): void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button look="quiet" size="small" className="-mr-3" disabled={disabled} onClick={() => input.current?.click()}>
        <Paperclip className="size-3.5" aria-hidden />
        Add files
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={acceptedExtensions(settings().attachments).join() || undefined}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          target.value = ''
        }}
      />
    </>
  )
}

const DropHint = () => <span className="pointer-coarse:hidden">Drop some here, or paste an image.</span>

const DropHere = () => (
  <div className="pointer-events-none absolute inset-0 z-20 grid animate-appear place-items-center rounded-t-panel bg-raised/95 sm:rounded-panel">
    <div className="absolute inset-3 rounded-card border-2 border-accent border-dashed" />
    <p className="flex items-center gap-3 font-strong text-title">
      <UploadIcon className="size-6 text-accent" aria-hidden />
      Drop to attach
    </p>
  </div>
)

type AttachmentRowProps = { board: Board; attachment: Attachment; locked: boolean; onShow(): void; onRemoved(): void }

function AttachmentRow({ board, attachment, locked, onShow, onRemoved }: AttachmentRowProps) {
  const { originalFilename: name, fileUrl, mimeType, fileSize, user, createdAt } = attachment
  const isByMember = board.members.some(({ id }) => id === attachment.userId)
  const mayRemove = mayDeleteAttachment(useViewer(), board, attachment, isByMember) && !locked
  const isShown = isBrowserImage(mimeType) || mimeType === 'application/pdf'
  return (
    <li className="flex items-center gap-1">
      <div className="item relative flex min-w-0 flex-1 items-center gap-3">
        <Thumbnail attachment={attachment} />
        <div className="min-w-0 flex-1">
          <a
            href={fileUrl}
            data-attachment={attachment.id}
            onClick={(event) => opensHere(event) && onShow()}
            {...(isShown ? { target: '_blank', rel: 'noopener' } : { download: '' })}
            title={name === shortName(name) ? undefined : name}
            className="after:absolute after:inset-0 pointed:underline"
          >
            <bdi className="[overflow-wrap:anywhere]">{shortName(name)}</bdi>
          </a>
          <p className="flex flex-wrap gap-x-1.5 text-quiet text-small">
            <span className="tabular whitespace-nowrap">{sizeText(fileSize)}</span>
            <span aria-hidden>·</span>
            <bdi className="min-w-0 [overflow-wrap:anywhere]">{displayName(user)}</bdi>
            <time dateTime={createdAt} className="tabular basis-full whitespace-nowrap">
              {dateTimeText(createdAt)}
            </time>
          </p>
        </div>
      </div>
      <Button look="quiet" size="icon" asChild>
        <a href={fileUrl} download aria-label={`Download ${name}`}>
          <Download className="size-4" aria-hidden />
        </a>
      </Button>
      {mayRemove ? <RemoveButton boardId={board.id} attachment={attachment} onRemoved={onRemoved} /> : <span className="w-7" />}
    </li>
  )
}

/** With a modifier key the browser opens or saves the file itself. */
function opensHere(event: MouseEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return false
  event.preventDefault()
  return true
}

/** Always of the same size, so that nothing moves when it loads. */
function Thumbnail({ attachment: { thumbnailUrl, mimeType } }: { attachment: Attachment }) {
  const [broken, setBroken] = useState(false)
  const Icon = iconOf(mimeType)
  return (
    <span className="grid size-14 shrink-0 place-items-center overflow-hidden rounded-card bg-column text-quiet">
      {thumbnailUrl && !broken ? (
        <img
          src={thumbnailUrl}
          alt=""
          width={56}
          height={56}
          loading="lazy"
          decoding="async"
          onError={() => setBroken(true)}
          className="size-full object-cover"
        />
      ) : (
        <Icon className="size-6" aria-hidden />
      )}
    </span>
  )
}

type RemoveProps = Pick<AttachmentRowProps, 'attachment' | 'onRemoved'> & { boardId: number }

function RemoveButton({ boardId, attachment, onRemoved }: RemoveProps) {
  const removal = useRemoveAttachment(boardId)
  const remove = () => {
    onRemoved()
    void removal.run(attachment)
  }
  return (
    <Button
      look="quiet"
      size="icon"
      aria-label={`Remove ${attachment.originalFilename}`}
      data-ignore-second-press
      onClick={remove}
    >
      <Trash2 className="size-4" aria-hidden />
    </Button>
  )
}

function UploadRow({ upload }: { upload: Upload }) {
  const { file, state, sent } = upload
  const percent = Math.round(sent * 100)
  return (
    <li className="flex items-center gap-1">
      <div className="flex min-w-0 flex-1 items-center gap-3">
        <span className="grid size-14 shrink-0 place-items-center rounded-card bg-column text-quiet">
          {state === 'failed' && <X className="size-5 text-danger" aria-hidden />}
          {state === 'waiting' && <Clock className="size-5" aria-hidden />}
          {state === 'sending' && <Spinner />}
        </span>
        <div className="flex min-w-0 flex-1 flex-col">
          <bdi className="[overflow-wrap:anywhere]">{shortName(file.name)}</bdi>
          {state === 'failed' ? (
            <p className="text-danger text-small">Not uploaded</p>
          ) : (
            <div className="flex items-center gap-3 text-quiet text-small">
              <UploadProgress label={`Uploading ${file.name}`} percent={percent} />
              <span className="tabular whitespace-nowrap">
                {state === 'waiting' ? 'Waiting' : `${percent}% of ${sizeText(file.size)}`}
              </span>
            </div>
          )}
        </div>
      </div>
      {state === 'failed' && (
        <Button size="small" aria-label={`Retry ${file.name}`} onClick={() => retryUpload(upload)}>
          <RotateCw className="size-3.5" aria-hidden />
          Retry
        </Button>
      )}
      <Button
        look="quiet"
        size="icon"
        aria-label={`${state === 'failed' ? 'Discard' : 'Cancel'} ${file.name}`}
        data-ignore-second-press
        onClick={() => cancelUpload(upload)}
      >
        <X className="size-4" aria-hidden />
      </Button>
    </li>
  )
}

const UploadProgress = ({ label, percent }: { label: string; percent: number }) => (
  <div
    role="progressbar"
    aria-label={label}
    aria-valuenow={percent}
    aria-valuemin={0}
    aria-valuemax={100}
    className="h-1 max-w-48 flex-1 overflow-hidden rounded-full bg-line"
  >
    <div
      className="h-full origin-left bg-text transition-transform duration-150"
      style={{ transform: `scaleX(${percent / 100})` }}
    />
  </div>
)
