import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import Download from 'lucide-react/icons/download'
import ExternalLink from 'lucide-react/icons/external-link'
import X from 'lucide-react/icons/x'
import * as Dialog from 'radix-ui/dialog'
import { type KeyboardEvent, type TouchEvent, useRef, useState } from 'react'
import { Button } from '../../web/ui/Button'
import { ignoreOnTop, useBackCloses } from '../../web/ui/layer'
import { type Attachment, isBrowserImage } from '../schema'
import { iconOf, sizeText } from './display'

type Props = { attachments: Attachment[]; shownId: number; onShow(id: number): void; onClose(): void }

export function Viewer({ attachments, shownId, onShow, onClose }: Props) {
  const place = attachments.findIndex(({ id }) => id === shownId)
  const shown = attachments[place]
  const count = attachments.length
  const step = (by: number) => {
    const next = attachments[(place + by + count) % count]
    if (next) onShow(next.id)
  }
  const swipe = useSwipe(step)
  useBackCloses(shown !== undefined, onClose)
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (by === undefined) return
    event.stopPropagation()
    step(by)
  }
  const giveBack = (event: Event) => {
    event.preventDefault()
    document.querySelector<HTMLElement>(`[data-attachment="${shownId}"]`)?.focus()
  }
  return (
    <Dialog.Root open={shown !== undefined} onOpenChange={(open) => open || onClose()}>
      <Dialog.Portal>
        <Dialog.Content
          aria-describedby={undefined}
          onKeyDown={onKeyDown}
          onCloseAutoFocus={giveBack}
          onInteractOutside={ignoreOnTop}
          data-scrim
          className="fixed inset-0 z-50 flex animate-appear flex-col bg-raised pt-16 focus:outline-none sm:pt-0 sm:pb-20 short:py-0"
          {...swipe}
        >
          {shown && <Bar attachment={shown} place={`${place + 1} of ${count}`} />}
          <div className="relative grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] place-items-center p-4 sm:px-16">
            {shown && <Contents key={shown.id} attachment={shown} />}
            {count > 1 && (
              <>
                <Arrow label="Previous file" Icon={ChevronLeft} side="left-3" onClick={() => step(-1)} />
                <Arrow label="Next file" Icon={ChevronRight} side="right-3" onClick={() => step(1)} />
              </>
            )}
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const Bar = ({ attachment: { originalFilename, fileUrl }, place }: { attachment: Attachment; place: string }) => (
  <header className="flex shrink-0 items-center gap-2 border-line border-b px-4 py-2">
    <div className="min-w-0 flex-1" aria-live="polite">
      <Dialog.Title className="truncate font-strong">
        <bdi>{originalFilename}</bdi>
      </Dialog.Title>
      <p className="tabular text-quiet text-small">{place}</p>
    </div>
    <Button look="quiet" size="icon" asChild>
      <a href={fileUrl} download aria-label={`Download ${originalFilename}`}>
        <Download className="size-4" aria-hidden />
      </a>
    </Button>
    <Dialog.Close asChild>
      <Button look="quiet" size="icon" aria-label="Close">
        <X className="size-4" aria-hidden />
      </Button>
    </Dialog.Close>
  </header>
)

function Contents({ attachment }: { attachment: Attachment }) {
  const { fileUrl, mimeType, originalFilename, fileSize } = attachment
  const [broken, setBroken] = useState(false)
  if (isBrowserImage(mimeType) && !broken)
    return (
      <img
        src={fileUrl}
        alt={originalFilename}
        onError={() => setBroken(true)}
        className="max-h-full max-w-full object-contain"
      />
    )
  const Icon = iconOf(mimeType)
  return (
    <div className="flex max-w-full flex-col items-center gap-3 text-center">
      <Icon className="size-12 text-quiet" aria-hidden />
      <p className="max-w-[40ch] wrap-anywhere">
        <bdi>{originalFilename}</bdi> <span className="tabular whitespace-nowrap text-quiet">{sizeText(fileSize)}</span>
      </p>
      <div className="flex flex-wrap justify-center gap-2">
        {mimeType === 'application/pdf' && (
          <Button asChild>
            <a href={fileUrl} target="_blank" rel="noopener">
              <ExternalLink className="size-4" aria-hidden />
              Open
            </a>
          </Button>
        )}
        <Button asChild look="primary">
          <a href={fileUrl} download>
            <Download className="size-4" aria-hidden />
            Download
          </a>
        </Button>
      </div>
    </div>
  )
}

type ArrowProps = { label: string; Icon: typeof ChevronLeft; side: string; onClick(): void }

const Arrow = ({ label, Icon, side, onClick }: ArrowProps) => (
  <Button size="icon" aria-label={label} onClick={onClick} className={`absolute top-1/2 -translate-y-1/2 ${side}`}>
    <Icon className="size-5" aria-hidden />
  </Button>
)

const FAR = 48

function useSwipe(step: (by: number) => void) {
  const start = useRef<{ x: number; y: number }>(undefined)
  return {
    onTouchStart({ touches }: TouchEvent) {
      const finger = touches.item(0)
      start.current = finger && touches.length === 1 ? { x: finger.clientX, y: finger.clientY } : undefined
    },
    onTouchEnd({ changedTouches }: TouchEvent) {
      const finger = changedTouches.item(0)
      if (!finger || !start.current) return
      const [x, y] = [finger.clientX - start.current.x, finger.clientY - start.current.y]
      start.current = undefined
      if (Math.abs(x) > FAR && Math.abs(x) > Math.abs(y)) step(x < 0 ? 1 : -1)
    },
  }
}
