import type { ReactNode } from 'react'

export type LegalText = { title: string; summary: string; sections: { title: string; body: ReactNode }[] }
