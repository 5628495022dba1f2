import type { ReactNode } from 'react'

/** A legal page: what it comes to in a sentence, then its numbered sections. */
export type LegalText = { title: string; summary: string; sections: { title: string; body: ReactNode }[] }
