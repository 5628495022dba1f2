import { accountRest } from '../account/server/router'
import { activityRest } from '../activity/server/router'
import { attachmentsRest } from '../attachments/server/router'
import { authRest } from '../auth/server/router'
import { billingRest } from '../billing/server/router'
import { boardStartersRest } from '../boardStarters/server/router'
import { boardsRest } from '../boards/server/router'
import { commentsRest } from '../comments/server/router'
import { finderRest } from '../finder/server/router'
import { importsRest } from '../imports/server/router'
import { invitationsRest } from '../invitations/server/router'
import { notificationsRest } from '../notifications/server/router'
import { operatorRest } from '../operator/server/router'
import type { RestCall } from '../server/rest'
import { tasksRest } from '../tasks/server/router'
import { timeRest } from '../time/server/router'
import { todayRest } from '../today/server/router'
import { usersRest } from '../users/server/router'

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
  ...timeRest,
]
