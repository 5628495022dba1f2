import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'

const SRC = join(import.meta.dir, '../../src')
const files = await Promise.all([...new Glob('**/*.{ts,tsx}').scanSync(SRC)].map((file) => Bun.file(join(SRC, file)).text()))

/** What the page says, title and text, as the product promises; each pair stands in one file. */
const TOASTS: [string, ...string[]][] = [
  ['Invitation Failed', 'Could not invite user to the board. Please try again.'],
  ['Update Failed', 'Could not update board '],
  ['Delete Failed', 'Could not delete the board. Please try again.'],
  ['Removal Failed', 'Could not remove the member from the board. Please try again.'],
  ['Assignment Failed', 'Could not assign user to the task. Please try again.'],
  ['Removal Failed', 'Could not remove user from the task. Please try again.'],
  ['Update Failed', 'Could not update your comment. Please try again.'],
  ['Deletion Failed', 'Could not delete your comment. Please try again.'],
  ['Comment Failed', 'Could not add your comment. Please try again.'],
  ['Comment Already Sent'],
  ['This exact comment was already submitted recently.'],
  ['Update Failed', 'Could not update task. Please try again.'],
  ['Upload Failed', 'Could not upload the file. Please try again.'],
  ['File too large'],
  ['The file exceeds the ', 'MB size limit.'],
  ['Removal Failed', 'Could not remove the file. Please try again.'],
  ['Deletion Failed', 'Could not delete the task. Please try again.'],
  ['Creation Failed', 'Could not create the task. Please try again.'],
  ['Error', 'Could not update task status. Please try again.'],
  ['Title Required'],
  ['Please enter a title for the task.'],
  ['Error', 'Could not load task details.'],
  ['Permission Denied'],
  ["You don't have permission to delete this task."],
  ['Only the board creator can delete this board.'],
  ['Only the board creator can remove members.'],
  ['The board creator cannot be removed from the board.'],
  ['Cannot Remove Creator'],
  ['Invitation Sent', 'has been invited to the board.'],
  ['Board Updated'],
  ['Board Deleted', 'The board has been deleted successfully.'],
  ['Board Deleted', 'This board has been deleted by its creator.'],
  ['New Member', 'has joined the board.'],
  ['Member Removed', 'The member has been removed from the board.'],
  ['User Assigned'],
  ['Assignee Removed'],
  ['Comment Updated'],
  ['Comment Deleted'],
  ['File uploaded'],
  ['Attachment Removed'],
  ['Task Deleted'],
  ['Task Created'],
  ['Board Not Found', "The board you're looking for doesn't exist or you don't have access to it."],
  [
    'Delete Board',
    'This action cannot be undone. This will permanently delete the board and all of its tasks and comments. All members will lose access to this board.',
  ],
  ['No tasks in this column'],
  ['Create New Task', 'Task Title'],
  ['Save & Close'],
  ['Task Information', 'Created', 'Last Updated', 'Never', 'Quick Actions', 'Delete Task'],
  ['Creator', 'Manage', 'Done'],
  ['No description'],
  ['Deleting...'],
  ['Removing...'],
  ['is typing', 'people are typing'],
  ['Processing Invitation'],
  ['Invitation Error', 'Go to Home'],
  ["You've Been Invited", 'Sign in to accept', 'Join Board', 'Joining...'],
  ['Invalid invitation link. No invitation token found.'],
  ['This invitation is invalid or has expired.', 'The board you were invited to does not exist or has been deleted.'],
  [
    'Failed to process your invitation. The board may not exist or has expired.',
    'Failed to join the board. Please try again later.',
  ],
  ['Board Joined', 'You have successfully joined the board: '],
  ['Most Recent', 'Oldest First', 'Load more'],
  ['Invalid duration'],
  ['Please enter a valid duration (greater than 0)'],
  ['Cannot edit time entry'],
  ['You can only edit your own time entries'],
  ['Error', 'Failed to add time entry.'],
  ['Failed to update time entry', 'An unexpected error occurred'],
  ['Failed to delete time entry'],
  ['Error loading time entries'],
  ['No entries to export'],
  ['There are no time entries matching your current filters.'],
  ['Time entry added', 'Added $'],
  ['Time entry updated', 'The time entry has been updated successfully'],
  ['Time entry deleted'],
  ['Download Started'],
  ['Time Logs Opened', 'open-time-logs'],
  ['Edit Time Entry', 'Save Changes'],
  ['Are you sure?'],
  ['This will permanently delete this time entry. This action cannot be undone.'],
  ['Notify board members about this update'],
  ['Loading Time Entries', 'Fetching your time tracking data...'],
  ['Loading time entries...'],
  ['Open a task to add time'],
  ['Active', 'Paused'],
]

/** The same of profiles, as the product promises. */
const ON_PROFILES: [string, ...string[]][] = [
  ['User Not Found', "The user you're looking for doesn't exist.", 'Go Home'],
  ['Email Notifications', 'Task Assignment', 'New Comments', 'Board Updates', 'Time Entries'],
  ['Free Plan', 'Pro Plan', 'Active', 'Cancelling', 'Upgrade to Pro'],
  ['Cancel Subscription', 'Keep Subscription', 'Yes, Cancel Subscription', 'Resume Subscription', 'Cancel'],
  ['Subscription Cancelled', 'at the end of the billing period'],
  ['Error', 'Failed to cancel your subscription. Please try again.'],
  ['Subscription Resumed', 'Failed to resume your subscription. Please try again.'],
  ['Authentication Required', 'Please log in to continue with the subscription.', 'Already Subscribed', 'Back to Dashboard'],
  ['You are already subscribed to the Pro plan.'],
  ['Subscription Setup Failed', 'Could not set up subscription. Please try again later.'],
  ['Setting up payment...'],
  ['Return to Dashboard'],
  ['Payment Failed', 'Payment Error', 'An unexpected error occurred. Please try again.'],
  ['Payment Successful', 'You are now subscribed to the Pro plan!'],
  ['Payment Successful', 'You are now subscribed to the Pro plan with unlimited boards'],
  ['Subscription activated successfully!'],
  ['Priority Support', 'Customer Support', '72 hours', 'Book a Support Session', 'Upgrade to Pro'],
  ['Edit Profile', 'Name', 'Your name', 'Username', 'Description', 'Cancel', 'Save Changes'],
  ['Email', 'Manage Board Access'],
  ['Manage Board Access', "You don't have any boards yet.", 'Create a Board', 'Apply Changes', 'Cancel', 'Creator', 'Member'],
  ['Board creators cannot be removed from their own boards.'],
  ['Board Access Updated', 'Invited to', 'Removed from', 'and removed from', 'board(s).', 'operation(s) failed.'],
  ['Update Failed', 'Failed to update board access. Please try again.'],
  ['Update Failed', 'Could not update board access. Please try again.'],
  ['File Too Large'],
  ['Please select an image smaller than 5MB.'],
  ['Invalid File Type'],
  ['Please select an image file (JPEG, PNG, etc.).'],
  ['Upload Failed', 'Could not upload image. Please try again.'],
  ['Upload Successful', 'Your avatar image has been uploaded.'],
  ['Removal Failed', 'Could not remove profile image. Please try again.'],
  ['Avatar Removed', 'Your profile image has been reset to default.'],
  ['Notification Settings Updated', 'Your preferences have been saved.'],
  ['Update Failed', 'Could not update notification settings. Please try again.'],
  ['Profile Updated', 'Your profile has been updated successfully.'],
  ['Update Failed', 'Could not update your profile. Please try again.'],
  ['Link Copied', 'Email Copied'],
]

/** A text in JSX stands on several lines, and with entities for quotes. */
const flat = files.map((text) => text.replaceAll(/\s+/g, ' ').replaceAll("\\'", "'").replaceAll('&apos;', "'"))

for (const texts of [...TOASTS, ...ON_PROFILES])
  test(`the page says ${texts.join(' / ')}`, () =>
    expect(flat.some((file) => texts.every((text) => file.includes(text.replaceAll(/\s+/g, ' '))))).toBe(true))

test('whoever has only Node can run each command by which the README begins', async () => {
  const root = join(SRC, '..')
  const [, section = ''] = (await Bun.file(join(root, 'README.md')).text()).split(/^## /m)
  const commands = [...section.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = '']) => block.trim().split('\n'))
  expect(commands.length).toBeGreaterThan(2)
  for (const command of commands) expect(command).toMatch(/^npx -y bun@1\.4\.5 (start|run seed)/)
})

/** Refused, with what takes its place: docs/upgrading.md. */
const REMOVED = 'IMPORT_PRIVATE_ADDRESSES'

test('docs/configuration.md names each setting that there is, and no other', async () => {
  const root = join(SRC, '..')
  const [, schema = ''] = (await Bun.file(join(SRC, 'config.ts')).text()).split('const environment = z.object({')
  const settings = [...schema.matchAll(/^ {2}([A-Z][A-Z\d_]+):/gm)].map(([, name = '']) => name)
  expect(settings.length).toBeGreaterThan(40)
  const text = await Bun.file(join(root, 'docs/configuration.md')).text()
  const named = new Set([...text.matchAll(/`([A-Z][A-Z\d]*_[A-Z\d_]+|PORT|HOST|SIGNUP|PLANS)[`=]/g)].map(([, name = '']) => name))
  for (const end of ['CLIENT_ID', 'CLIENT_SECRET']) named.add(`GITHUB_${end}`)
  named.delete('GITHUB_')
  expect([...named].toSorted()).toEqual([...new Set(settings)].filter((name) => name !== REMOVED).toSorted())
})
