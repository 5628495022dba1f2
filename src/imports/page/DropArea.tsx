import FileUp from 'lucide-react/icons/file-up'
import { useEffect, useEffectEvent, useRef } from 'react'
import { shortName, sizeText } from '../../attachments/page/display'
import { randomKey } from '../../web/client'
import { createStore } from '../../web/createStore'
import { faultIdOf } from '../../web/refusal'
import { type Sending, sendBody, UploadFailed } from '../../web/sendFile'
import { toast } from '../../web/toast'
import { Button } from '../../web/ui/Button'
import { FaultId } from '../../web/ui/Failure'
import { useFileDrops } from '../../web/useFileDrops'
import { ARCHIVE_MAX_BYTES, NOT_UNDERSTOOD, TEXT_MAX_BYTES } from '../limits'
import type { BoardImport } from '../schema'
import { cacheImport } from './cache'
import { ProgressBar } from './ImportStatus'

const ACCEPT = '.json,.csv,.tsv,.txt,.zip'

export function DropArea({ onRead }: { onRead(made: BoardImport): void }) {
  const upload = onlyUpload.use()
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
      {upload?.state === 'sending' || upload?.state === 'read' ? (
        <UploadProgress upload={upload} />
      ) : (
        <Choosing upload={upload} />
      )}
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
          <span className="pointer-fine:hidden">Choose a file: </span>a board as JSON, a CSV, or a wrk archive.
        </p>
      )}
      <div className="flex flex-wrap justify-center gap-2">
        {upload?.mayTryAgain && (
          <Button look="primary" onClick={() => void sendAgain()}>
            Try again
          </Button>
        )}
        <Button look={upload?.mayTryAgain ? 'plain' : 'primary'} onClick={() => input.current?.click()}>
          {upload ? 'Choose another file' : 'Choose a file'}
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

function UploadProgress({ upload: { file, sent } }: { upload: Upload }) {
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
        {isSent ? 'Reading the file…' : `${Math.floor(sent * 100)}% of ${sizeText(file.size)}`}
      </p>
      <Button onClick={forgetUpload}>Cancel</Button>
    </>
  )
}

type Upload = {
  file: File
  /** The same for each try, so that a file whose answer was lost is not stored twice. */
  key: string
  sent: number
  state: 'sending' | 'failed' | 'read'
  words?: string
  faultId?: string | undefined
  mayTryAgain?: boolean
  made?: BoardImport
}

/** Outside of components, so that an upload goes on while the user is elsewhere in the app. */
const onlyUpload = createStore<Upload | null>(null)
let sending: Sending | undefined

function change(changes: Partial<Upload>): void {
  const upload = onlyUpload.get()
  onlyUpload.set(upload && { ...upload, ...changes })
}

/** One by one, because each file is shown before it becomes a board. */
function chooseOnly([file, ...others]: File[]): void {
  if (file && others.length === 0) chooseFile(file)
  else if (file) toast({ title: 'One File at a Time', description: SEVERAL, variant: 'destructive' })
}

const SEVERAL = 'Please choose one. Each file becomes its own board, with a preview first.'

function chooseFile(file: File): void {
  sending?.cancel()
  const words = problemOf(file)
  onlyUpload.set({ file, key: randomKey(), sent: 0, state: 'failed', ...(words && { words }) })
  if (!words) void sendAgain()
}

function forgetUpload(): void {
  sending?.cancel()
  sending = undefined
  onlyUpload.set(null)
}

const GB = 2 ** 30
const MB = 2 ** 20
const EMPTY = 'This file is empty.'
const TOO_LARGE = `This file is too large. A wrk archive can be up to ${ARCHIVE_MAX_BYTES / GB} GB, other files up to ${TEXT_MAX_BYTES / MB} MB.`

const SPREADSHEET = 'This is a spreadsheet. Save it as CSV and choose that file.'
const UNREADABLE =
  'This could not be read. It may be a folder, or the file may have been moved or changed. Please choose a file again.'

const isArchive = ({ name }: File) => /\.zip$/i.test(name)

function problemOf(file: File): string | undefined {
  if (file.size === 0) return EMPTY
  if (/\.(xlsx?|ods|numbers)$/i.test(file.name)) return SPREADSHEET
  if (/^(image|audio|video)\/|\/pdf$/.test(file.type)) return NOT_UNDERSTOOD
  return file.size > (isArchive(file) ? ARCHIVE_MAX_BYTES : TEXT_MAX_BYTES) ? TOO_LARGE : undefined
}

async function sendAgain(): Promise<void> {
  const upload = onlyUpload.get()
  if (!upload) return
  const { file, key } = upload
  onlyUpload.set({ file, key, sent: 0, state: 'sending' })
  const isReadable = await canRead(file)
  if (onlyUpload.get()?.key !== key) return
  if (!isReadable) return change({ state: 'failed', words: UNREADABLE })
  // Not with its own type: the server would read a JSON body into memory.
  const bytes = file.slice(0, file.size, 'application/octet-stream')
  const own = sendBody(`/api/imports?name=${encodeURIComponent(file.name)}`, bytes, key, (sent) => change({ sent }))
  sending = own
  try {
    const { body } = await own.answer
    finishUpload(body as BoardImport)
  } catch (error) {
    console.warn('A file was not uploaded', error)
    change({ state: 'failed', ...failureOf(error) })
  }
}

const canRead = (file: File) =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )

function finishUpload(made: BoardImport) {
  cacheImport(made)
  if (onlyUpload.isWatched()) return change({ state: 'read', made })
  onlyUpload.set(null)
  toast({ title: 'Preview Ready', description: `The preview of “${made.fileName}” is under Import. Nothing is saved yet.` })
}

const CUT_OFF = 'The upload was interrupted. Your file is still selected: try again.'
const FAULT = 'Something went wrong on our side. Your file is still selected: try again.'

/** Sending the same file again would be refused again. */
const FINAL = ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'BAD_REQUEST']

function failureOf(error: unknown): Pick<Upload, 'words' | 'faultId' | 'mayTryAgain'> {
  const refused = error instanceof UploadFailed ? error.refusal : null
  const faultId = faultIdOf(error)
  const words = refused?.message ?? (faultId ? FAULT : CUT_OFF)
  return { words, faultId, mayTryAgain: !refused || !FINAL.includes(refused.code) }
}

window.addEventListener('beforeunload', (event) => {
  if (onlyUpload.get()?.state === 'sending') event.preventDefault()
})
