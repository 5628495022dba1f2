const TABS = ['boards', 'invitations', 'server'] as const
export type OperatorTab = (typeof TABS)[number]
export const isOperatorTab = (name: unknown): name is OperatorTab => TABS.some((tab) => tab === name)
