/** Why what was sent was refused, where it is sent again. */
export const FormFailure = ({ children }: { children: string | undefined }) =>
  children && (
    <p role="alert" className="text-pretty text-danger wrap-anywhere">
      {children}
    </p>
  )
