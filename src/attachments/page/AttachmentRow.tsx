import { Download, Trash2 } from 'lucide-react'
import { type MouseEvent, useState } from 'react'
import { mayDeleteAttachment } from '../../access'
import { useViewer } from '../../auth/page/cache'
import type { Board } from '../../boards/schema'
import { dateTimeText } from '../../tasks/page/display'
import { displayName } from '../../users/schema'
import { Button } from '../../web/ui/Button'
import { type Attachment, isBrowserImage } from '../schema'
import { useRemoveAttachment } from './cache'
import { iconOf, shortName, sizeText } from './display'

type Props = { board: Board; attachment: Attachment; locked: boolean; onShow(): void; onRemoved(): void }

export function AttachmentRow({ board, attachment, locked, onShow, onRemoved }: Props) {
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
      <Button look="quiet" size="small-icon" asChild>
        <a href={fileUrl} download aria-label={`Download ${name}`}>
          <Download className="size-4" aria-hidden />
        </a>
      </Button>
      {mayRemove ? <Remove boardId={board.id} attachment={attachment} onRemoved={onRemoved} /> : <span className="w-7" />}
    </li>
  )
}

/** With such a key the browser opens or saves the file by itself. */
function opensHere(event: MouseEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return false
  event.preventDefault()
  return true
}

/** Always of the same size, so that nothing moves when the image has loaded. */
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

type RemoveProps = Pick<Props, 'attachment' | 'onRemoved'> & { boardId: number }

function Remove({ boardId, attachment, onRemoved }: RemoveProps) {
  const removal = useRemoveAttachment(boardId)
  const remove = () => {
    onRemoved()
    void removal.run(attachment)
  }
  return (
    <Button look="quiet" size="small-icon" aria-label={`Remove ${attachment.originalFilename}`} onClick={remove}>
      <Trash2 className="size-4" aria-hidden />
    </Button>
  )
}
