import { FileUp } from 'lucide-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import { shortName, sizeText } from '../../attachments/page/display'
import { Button } from '../../web/ui/Button'
import { FaultId } from '../../web/ui/FaultId'
import { useFileDrops } from '../../web/useFileDrops'
import type { BoardImport } from '../schema'
import { ProgressBar } from './ProgressBar'
import { chooseOnly, forgetUpload, sendAgain, type Upload, useUpload } from './upload'

const ACCEPT = '.json,.csv,.tsv,.txt,.zip'

export function DropArea({ onRead }: { onRead(made: BoardImport): void }) {
  const upload = useUpload()
  const area = useRef<HTMLElement>(null)
  const over = useFileDrops(area, chooseOnly, 'main')
  const leave = useEffectEvent((made: BoardImport) => {
    forgetUpload()
    onRead(made)
  })
  const made = upload?.made
  useEffect(() => {
    if (made) leave(made)
  }, [made])
  return (
    <section
      ref={area}
      aria-label="File to import"
      className={`flex flex-col items-center gap-3 rounded-panel border-2 border-dashed px-5 py-8 text-center transition-colors duration-150 ${over ? 'border-accent bg-hover' : 'border-edge'}`}
    >
      {upload?.state === 'sending' || upload?.state === 'read' ? <Sending upload={upload} /> : <Choosing upload={upload} />}
    </section>
  )
}

function Choosing({ upload }: { upload: Upload | null }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <FileUp className="size-6 text-quiet" aria-hidden />
      {upload ? (
        <>
          <p className="wrap-anywhere">
            <bdi className="font-strong">{shortName(upload.file.name)}</bdi>{' '}
            <span className="tabular text-quiet">{sizeText(upload.file.size)}</span>
          </p>
          <p role="alert" className="max-w-[60ch] text-pretty text-danger">
            {upload.words}
          </p>
          <FaultId id={upload.faultId} />
        </>
      ) : (
        <p className="max-w-[60ch] text-pretty text-quiet">
          <span className="pointer-coarse:hidden">Drop a file here, or choose one: </span>
          <span className="pointer-fine:hidden">Choose a file: </span>
          the JSON of a board, a CSV, or an archive of wrk.
        </p>
      )}
      <div className="flex flex-wrap justify-center gap-2">
        {upload?.mayTryAgain && (
          <Button look="primary" onClick={() => void sendAgain()}>
            Try Again
          </Button>
        )}
        <Button look={upload?.mayTryAgain ? 'plain' : 'primary'} onClick={() => input.current?.click()}>
          {upload ? 'Choose Another File' : 'Choose a File'}
        </Button>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="File to import"
        accept={ACCEPT}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          target.value = ''
          chooseOnly(files)
        }}
      />
    </>
  )
}

function Sending({ upload: { file, sent } }: { upload: Upload }) {
  const isSent = sent >= 1
  return (
    <>
      <p className="wrap-anywhere">
        <bdi className="font-strong">{shortName(file.name)}</bdi>
      </p>
      <div className="w-full max-w-sm">
        <ProgressBar label={`Uploading ${file.name}`} done={sent} total={1} />
      </div>
      <p role="status" className="tabular text-quiet">
        {isSent ? 'Reading it…' : `${Math.floor(sent * 100)} % of ${sizeText(file.size)}`}
      </p>
      <Button onClick={forgetUpload}>Cancel</Button>
    </>
  )
}
