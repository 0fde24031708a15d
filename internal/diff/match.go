package diff

// pairUp matches two lists of keys, the n-th of a key in one with the n-th of the same key in the other. partner holds for
// each element of a the index in b, -1 for none; rest the elements of b without partner, in order.
func pairUp[K comparable](a, b []K) (partner, rest []int32) {
	partner = make([]int32, len(a))
	first := make(map[K]int32, len(a))
	next := make([]int32, len(a))
	for i := len(a) - 1; i >= 0; i-- {
		partner[i], next[i] = -1, -1
		if later, ok := first[a[i]]; ok {
			next[i] = later
		}
		first[a[i]] = int32(i)
	}
	for j, key := range b {
		i, ok := first[key]
		if !ok || i < 0 {
			rest = append(rest, int32(j))
			continue
		}
		partner[i], first[key] = int32(j), next[i]
	}
	return partner, rest
}

// moved marks the elements that left their order: all but a longest run of partners that ascends. It is nil when none did.
func moved(partner []int32) []bool {
	if ascends(partner) {
		return nil
	}
	// ends[k] is the element that ends the ascending run of k+1 elements with the smallest partner
	ends, before := []int32{}, make([]int32, len(partner))
	for i, p := range partner {
		if p < 0 {
			continue
		}
		k := lower(ends, partner, p)
		before[i] = -1
		if k > 0 {
			before[i] = ends[k-1]
		}
		if k == len(ends) {
			ends = append(ends, 0)
		}
		ends[k] = int32(i)
	}
	out := make([]bool, len(partner))
	for i, p := range partner {
		out[i] = p >= 0
	}
	for i := ends[len(ends)-1]; i >= 0; i = before[i] {
		out[i] = false
	}
	return out
}

// lower is the first of ends whose partner is not below p.
func lower(ends, partner []int32, p int32) int {
	low, high := 0, len(ends)
	for low < high {
		if mid := (low + high) / 2; partner[ends[mid]] < p {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

func ascends(partner []int32) bool {
	last := int32(-1)
	for _, p := range partner {
		if p >= 0 && p < last {
			return false
		}
		last = max(last, p)
	}
	return true
}
