const PARTS = ['boards', 'invitations', 'server'] as const
export type OperatorPart = (typeof PARTS)[number]
export const isOperatorPart = (name: unknown): name is OperatorPart => PARTS.some((tab) => tab === name)
