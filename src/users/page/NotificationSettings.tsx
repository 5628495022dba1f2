import { Switch } from '../../web/ui/Switch'
import type { Switch as Name, OwnUser } from '../schema'
import { useSetNotifications } from './cache'

const SUB_SWITCHES: [name: Name, label: string, text: string][] = [
  ['notifyTaskAssigned', 'Task Assignment', 'When you are assigned to a task'],
  ['notifyTaskCommented', 'New Comments', 'When someone comments on your tasks'],
  ['notifyBoardUpdated', 'Board Updates', 'When boards you are a member of are updated'],
  ['notifyTimeEntries', 'Time Entries', 'When time is logged on tasks in your boards'],
]

export function NotificationSettings({ user }: { user: OwnUser }) {
  const { run } = useSetNotifications()
  return (
    <>
      <h1 className="sr-only">Notifications</h1>
      <Switch
        label="Email Notifications"
        text={`Sent to ${user.email}`}
        on={user.emailNotifications}
        onChange={(on) => void run({ emailNotifications: on })}
      />
      <div className="flex flex-col gap-5 border-line border-t pt-6">
        {SUB_SWITCHES.map(([name, label, text]) => (
          <Switch
            key={name}
            label={label}
            text={text}
            on={user[name]}
            disabled={!user.emailNotifications}
            onChange={(on) => void run({ [name]: on })}
          />
        ))}
      </div>
    </>
  )
}
