import { createSetupLink } from '../../auth/server/signUp'
import type { Context } from './command'

export const run = async (context: Context) => ({ link: await createSetupLink(await context.services()) })

export const show = (answer: unknown) => (answer as { link: string }).link
