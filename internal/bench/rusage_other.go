//go:build !unix

package main

import (
	"errors"
	"os"
	"time"
)

var errNoUsage = errors.New("this system does not say what a process took")

func processUsage(*os.ProcessState) (usage, error) { return usage{}, errNoUsage }

func ownCPU() (time.Duration, error) { return 0, errNoUsage }
