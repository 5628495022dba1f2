import { accountRest } from '../account/server/rest'
import { activityRest } from '../activity/server/rest'
import { attachmentsRest } from '../attachments/server/rest'
import { authRest } from '../auth/server/rest'
import { billingRest } from '../billing/server/rest'
import { boardStartersRest } from '../boardStarters/server/rest'
import { boardsRest } from '../boards/server/rest'
import { commentsRest } from '../comments/server/rest'
import { finderRest } from '../finder/server/rest'
import { importsRest } from '../imports/server/rest'
import { invitationsRest } from '../invitations/server/rest'
import { notificationsRest } from '../notifications/server/rest'
import { operatorRest } from '../operator/server/rest'
import type { RestCall } from '../server/rest'
import { tasksRest } from '../tasks/server/rest'
import { entriesRest } from '../time/entries/server/rest'
import { exportRest } from '../time/export/server/rest'
import { mineRest } from '../time/mine/server/rest'
import { ratesRest } from '../time/rates/server/rest'
import { reportRest } from '../time/report/server/rest'
import { timersRest } from '../time/timers/server/rest'
import { todayRest } from '../today/server/rest'
import { usersRest } from '../users/server/rest'

export const calls: RestCall[] = [
  ...authRest,
  ...accountRest,
  ...usersRest,
  ...billingRest,
  ...boardsRest,
  ...boardStartersRest,
  ...activityRest,
  ...finderRest,
  ...importsRest,
  ...invitationsRest,
  ...todayRest,
  ...tasksRest,
  ...commentsRest,
  ...notificationsRest,
  ...operatorRest,
  ...attachmentsRest,
  ...entriesRest,
  ...timersRest,
  ...mineRest,
  ...reportRest,
  ...exportRest,
  ...ratesRest,
]
