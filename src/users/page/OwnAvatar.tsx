import { Link } from '@tanstack/react-router'
import { Trash2, Upload } from 'lucide-react'
import { type ChangeEvent, useRef } from 'react'
import { toast } from '../../web/toast'
import { Button } from '../../web/ui/Button'
import { Hint } from '../../web/ui/Hint'
import { DEFAULT_AVATAR, LARGEST_AVATAR, type OwnUser } from '../schema'
import { Avatar } from './Avatar'
import { NO_IMAGE, TOO_LARGE, useRemoveAvatar, useUploadAvatar } from './cache'

export function OwnAvatar({ user }: { user: OwnUser }) {
  const upload = useUploadAvatar()
  const removal = useRemoveAvatar()
  const input = useRef<HTMLInputElement>(null)
  const busy = upload.isPending || removal.isPending
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    // Lets the same file be chosen again.
    target.value = ''
    const wrong = file && rejectionOf(file)
    if (wrong) toast({ variant: 'destructive', ...wrong })
    if (!file || wrong) return
    const shown = URL.createObjectURL(file)
    await upload.run({ file, shown })
    URL.revokeObjectURL(shown)
  }
  return (
    <div className="flex items-center gap-3">
      <Link
        to="/$username"
        params={{ username: user.username }}
        search={{ public: true }}
        aria-label="Your public profile"
        className="flex rounded-full"
      >
        <Avatar user={user} size="lg" />
      </Link>
      <input ref={input} type="file" accept="image/*" hidden onChange={choose} aria-label="Avatar image" />
      <div className="flex gap-1">
        <Hint text="Upload avatar">
          <Button
            look="quiet"
            size="icon"
            aria-label="Upload avatar"
            busy={upload.isPending}
            disabled={busy}
            onClick={() => input.current?.click()}
          >
            {!upload.isPending && <Upload className="size-4" aria-hidden />}
          </Button>
        </Hint>
        <Hint text="Remove avatar">
          <Button
            look="quiet"
            size="icon"
            aria-label="Remove avatar"
            disabled={busy || user.avatar === DEFAULT_AVATAR}
            onClick={() => void removal.run(undefined)}
          >
            <Trash2 className="size-4" aria-hidden />
          </Button>
        </Hint>
      </div>
    </div>
  )
}

function rejectionOf({ type, size }: File) {
  if (!type.startsWith('image/')) return NO_IMAGE
  return size > LARGEST_AVATAR ? TOO_LARGE : undefined
}
