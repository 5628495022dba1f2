import { useEffect, useState } from 'react'
import { forgetPasswordPrompt } from '../../auth/page/signIn'
import { useViewer } from '../../users/page/viewer'
import { Button } from '../../web/ui/Button'
import { Dialog, DialogButtons } from '../../web/ui/Dialog'
import { PasswordFields } from './PasswordFields'

export function NewPasswordDialog() {
  const { username } = useViewer()
  const [open, setOpen] = useState(true)
  useEffect(forgetPasswordPrompt, [])
  const close = () => setOpen(false)
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title="Choose a new password"
      description="You came by a reset link, so the old one is not needed."
      keep
    >
      <PasswordFields username={username} withCurrent={false} onDone={close}>
        {(busy) => (
          <DialogButtons>
            <Button onClick={close}>Not Now</Button>
            <Button type="submit" look="primary" busy={busy}>
              Save Password
            </Button>
          </DialogButtons>
        )}
      </PasswordFields>
    </Dialog>
  )
}
