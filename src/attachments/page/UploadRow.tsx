import { Clock, RotateCw, X } from 'lucide-react'
import { Button } from '../../web/ui/Button'
import { Spinner } from '../../web/ui/Spinner'
import { shortName, sizeText } from './display'
import { cancelUpload, retryUpload, type Upload } from './useUploads'

export function UploadRow({ upload }: { upload: Upload }) {
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
              <Progress label={`Uploading ${file.name}`} percent={percent} />
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
        size="small-icon"
        aria-label={`${state === 'failed' ? 'Discard' : 'Cancel'} ${file.name}`}
        onClick={() => cancelUpload(upload)}
      >
        <X className="size-4" aria-hidden />
      </Button>
    </li>
  )
}

const Progress = ({ label, percent }: { label: string; percent: number }) => (
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
