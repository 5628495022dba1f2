import { lastBackup, lastGoodBackup } from '../../archive/server/store'
import type { Services } from '../../server/context'
import { mailQueue } from '../../server/mail/store'
import type { State } from '../schema'
import type { OperatorReadGrant } from './grants'

/** What may fail on this server, as this process sees it. */
export async function readState({ db, config, room, fileQuota }: Services, _: OperatorReadGrant): Promise<State> {
  const { waiting, failed } = await mailQueue(db)
  const [good, last] = await Promise.all([lastGoodBackup(db), lastBackup(db)])
  const { free, size } = room.disk()
  return {
    database: config.databaseUrl ? 'postgres' : 'embedded',
    disk: size > 0 ? { free, size } : null,
    changesRefused: !room.mayChange(),
    filesRefused: await fileQuota.assertRoomFor(0).then(
      () => false,
      () => true,
    ),
    mailsWaiting: waiting,
    mailsFailed: failed,
    lastBackup: good?.toISOString() ?? null,
    backupError: last?.error ?? null,
  }
}
