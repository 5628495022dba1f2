import type { Services } from '../../server/context'
import { conflict } from '../../server/errors'
import { hasOperator } from '../../users/server/lookup'
import { SETUP } from '../basics'
import { appointProven, createSetupToken, endSetup } from './store'
import { isFirstOperator } from './ways'

const BY_EMAIL = 'whoever confirms OPERATOR_EMAIL becomes the operator'

/** What the log says at a start about who the operator is to be, with the link that makes them; undefined where nothing is to say. */
export async function beginSetup(services: Services): Promise<string | undefined> {
  const { db, config } = services
  await endSetup(db)
  const proven = config.operatorEmail && (await appointProven(db, config.operatorEmail))
  if (proven) return `operator ${proven.username} (${proven.id}): became it by OPERATOR_EMAIL`
  if (isFirstOperator(config) || (await hasOperator(db))) return undefined
  const how = config.operatorEmail
    ? BY_EMAIL
    : `whoever opens this link is the operator from then on: ${await createSetupLink(services)}`
  return `this server has no operator yet: ${how}`
}

/** Works once, until a newer one is made. Throws CONFLICT where it would make nobody the operator. */
export async function createSetupLink({ db, config, origin }: Services): Promise<string> {
  if (await hasOperator(db)) throw conflict('There is an operator already: “wrk user operator NAME” makes another.')
  if (config.operatorEmail) throw conflict(`OPERATOR_EMAIL is set: ${BY_EMAIL}.`)
  return `${origin()}${SETUP}?token=${await createSetupToken(db)}`
}
