/** The head of arrows in a drawing. The drawing names it, because ids are unique per page. */
export function ArrowHead({ id }: { id: string }) {
  return (
    <defs>
      <marker id={id} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
        <path d="M0 0 L8 4 L0 8 z" className="vigil-arrow-head" />
      </marker>
    </defs>
  );
}
