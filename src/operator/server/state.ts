import { lastBackup, lastGoodBackup } from '../../archive/server/store'
import { largestTable } from '../../db/facts'
import type { Services } from '../../server/context'
import { mailQueue } from '../../server/mail/store'
import type { State } from '../schema'
import type { OperatorReadGrant } from './grants'

/** What may fail on this server, as this process sees it. */
export async function readState({ db, config, room, fileQuota }: Services, _: OperatorReadGrant): Promise<State> {
  const { waiting, failed } = await mailQueue(db)
  const [good, last, table] = await Promise.all([lastGoodBackup(db), lastBackup(db), largestTable(db)])
  const { free, size } = room.disk()
  return {
    database: config.databaseUrl ? 'postgres' : 'embedded',
    disk: size > 0 ? { free, size } : null,
    tooLargeToErase: config.databaseUrl || table.bytes <= room.forVacuum().spare ? null : table.name,
    changesRefused: !room.mayChange(),
    filesRefused: await fileQuota.assertRoomFor(0).then(
      () => false,
      () => true,
    ),
    mailsWaiting: waiting,
    mailServer: config.smtpUrl !== undefined,
    mailsFailed: failed,
    lastBackup: good?.toISOString() ?? null,
    backupError: last?.error ?? null,
  }
}
